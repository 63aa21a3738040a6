import { render } from 'preact';
import './styles.css';
import { Playground } from './ui/Playground.tsx';

const languages = JSON.parse(document.getElementById('languages')!.textContent) as string[];

render(<Playground languages={languages} />, document.getElementById('app')!);
