/** The entry of the operator's page. */
import { render } from 'preact';
import '../style/tokens.css';
import '../style/base.css';
import '../style/table.css';
import '../style/workspace.css';
import './operator.css';
import { OperatorPage } from './page.tsx';

const root = document.getElementById('root');
if (root === null) throw new Error('the page has no root');
render(<OperatorPage />, root);
