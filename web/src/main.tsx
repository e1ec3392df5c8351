/** The entry of the terminal. */
import { render } from 'preact';
import './style/tokens.css';
import './style/base.css';
import './style/controls.css';
import './style/table.css';
import './style/workspace.css';
import { listenForKeys } from './app/actions.ts';
import { Terminal } from './app/terminal.tsx';
import { resume } from './store/session.ts';
import { followTheme } from './ui/theme.ts';

const root = document.getElementById('root');
if (root === null) throw new Error('the page has no root');
followTheme();
resume();
listenForKeys();
render(<Terminal />, root);
