/** The entry of the operator's page. */
import { render } from 'preact';
import '../style/tokens.css';
import '../style/base.css';
import '../style/controls.css';

const root = document.getElementById('root');
if (root === null) throw new Error('the page has no root');
render(<h1>Operator</h1>, root);
