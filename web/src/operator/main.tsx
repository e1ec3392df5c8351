/** The entry of the operator's page. */
import { render } from 'preact';
import '../style/tokens.css';
import '../style/base.css';
import '../style/controls.css';
import '../style/table.css';
import '../style/workspace.css';
import './operator.css';
import { followTheme } from '../ui/theme.ts';
import { OperatorPage } from './page.tsx';

const root = document.getElementById('root');
if (root === null) throw new Error('the page has no root');
followTheme();
render(<OperatorPage />, root);
