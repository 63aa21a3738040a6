/* What is drawn for attaching before there is a file: the only views of this folder that are not in its script. */
export { AttachButtons } from './AttachButtons.tsx';
