/* Everything that the core does not need, a line each. To remove an extra, delete its folder and its line. */
export { articles } from './articles/extra.ts';
export { cluster } from './cluster/extra.ts';
export { files } from './files/extra.ts';
export { form } from './form/extra.ts';
export { history } from './history/extra.ts';
export { mails } from './mails/extra.ts';
export { org } from './org/extra.ts';
export { ratings } from './ratings/extra.ts';
export { statusPage } from './status-page/extra.ts';
export { tracing } from './tracing/extra.ts';
