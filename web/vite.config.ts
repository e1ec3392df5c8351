/** The build of the pages: the terminal of traders and the page of the operator, for one origin without inline code. */
import { join } from 'node:path';
import { defineConfig } from 'vite';

const HERE = import.meta.dirname;

export default defineConfig({
  root: HERE,
  base: '/',
  publicDir: false,
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2023',
    // Inlined files would need a weaker Content Security Policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      input: [join(HERE, 'index.html'), join(HERE, 'operator.html')],
      // Only Node before release 22 needs its own socket.
      external: [/node-socket\.ts$/],
    },
  },
});
