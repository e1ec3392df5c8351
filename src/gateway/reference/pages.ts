/**
 * The pages of the reference by path: the reference itself and its script, error pages, guides, the sockets as a
 * document, the collections and the text for programs. Each is made when it is first asked for, and kept; guides are
 * read each time.
 */

import { KEPT_FOR_A_YEAR } from '../../page/page-answer.ts';
import { type Document, kept, type Page } from '../http/downloads.ts';
import { JSON_TYPE } from '../http/respond.ts';
import { asyncApiDocument } from './async-api.ts';
import { brunoZip } from './bruno.ts';
import { ERROR_NAMES } from './error-help.ts';
import { errorList, errorPage } from './error-pages.ts';
import { GUIDES, guideList, guidePage, guideText } from './guides.ts';
import { html } from './html-page.ts';
import { llmsText } from './llms-text.ts';
import type { OwnServer } from './own-server.ts';
import { postmanCollection } from './postman.ts';
import { REFERENCE_PAGE, scalarPage } from './scalar-page.ts';
import { ScalarReader } from './scalar-script.ts';

const SCRIPT_TYPE = 'text/javascript; charset=utf-8';
const TEXT_TYPE = 'text/plain; charset=utf-8';
const MARKDOWN_TYPE = 'text/markdown; charset=utf-8';
const ZIP_TYPE = 'application/zip';
const SCRIPT_PATH = '/docs/scalar.js';

/** `server`: where the service listens, asked when a page first needs it; the usual place when it says nothing. */
export function referencePages(server: () => OwnServer | undefined = () => undefined): ReadonlyMap<string, Page> {
  const reader = new ScalarReader();
  const reference: Page = async () => {
    const { hash } = await reader.read();
    return html(scalarPage(`${SCRIPT_PATH}?v=${hash}`), REFERENCE_PAGE);
  };
  const pages = new Map<string, Page>([
    ['/docs', reference],
    ['/docs/', reference],
    [SCRIPT_PATH, (accepts) => script(reader, accepts('gzip'))],
    ['/docs/errors', kept(() => html(errorList()))],
    ['/docs/guides', kept(() => html(guideList()))],
    ['/asyncapi.json', kept(() => json(asyncApiDocument(server())))],
    [
      '/docs/sauda.postman_collection.json',
      kept(() => file('sauda.postman_collection.json', json(postmanCollection()))),
    ],
    ['/docs/sauda.bruno.zip', kept(() => file('sauda.bruno.zip', { type: ZIP_TYPE, bytes: brunoZip() }))],
    ['/llms.txt', kept(() => text(llmsText(), TEXT_TYPE))],
  ]);
  for (const name of ERROR_NAMES)
    pages.set(
      `/docs/errors/${name}`,
      kept(() => html(errorPage(name))),
    );
  for (const guide of GUIDES) {
    pages.set(`/docs/guides/${guide.name}`, async () => html(await guidePage(guide)));
    pages.set(`/docs/guides/${guide.name}.md`, async () => text(await guideText(guide), MARKDOWN_TYPE));
  }
  return pages;
}

function text(content: string, type: string): Document {
  return { type, bytes: Buffer.from(content) };
}

function json(content: object): Document {
  return text(JSON.stringify(content), JSON_TYPE);
}

/** A document that a browser saves under a name. */
function file(name: string, document: Document): Document {
  return { ...document, headers: ['content-disposition', `attachment; filename="${name}"`] };
}

async function script(reader: ScalarReader, packed: boolean): Promise<Document> {
  const { plain, gzip } = await reader.read();
  const { buffer, byteOffset, byteLength } = packed ? gzip : plain;
  const coding = packed ? ['content-encoding', 'gzip'] : [];
  return {
    type: SCRIPT_TYPE,
    bytes: Buffer.from(buffer, byteOffset, byteLength),
    headers: [...coding, 'vary', 'accept-encoding'],
    cache: KEPT_FOR_A_YEAR,
  };
}
