import { installForTag } from './tag.ts';

installForTag((href) => import(/* @vite-ignore */ href));
