import { render } from 'preact';
import './styles/page.css';
import './styles/settings.css';
import './styles/preview.css';
import './styles/snippet.css';
import './styles/narrow.css';
import { Playground } from './ui/Playground.tsx';

const languages = JSON.parse(document.getElementById('languages')!.textContent) as string[];

render(<Playground languages={languages} />, document.getElementById('app')!);
