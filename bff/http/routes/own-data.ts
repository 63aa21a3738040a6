import { Hono } from 'hono';
import type { OwnData } from '../../use-cases/own-data.ts';
import { answer } from '../answer.ts';
import type { AppEnv } from '../context.ts';
import { clearSessionCookie } from '../cookie.ts';

/** The stored data of the asking customer. */
export function dataRoutes(ownData: OwnData) {
  return new Hono<AppEnv>()
    .get('/', async (c) => answer(c, await ownData.export(c.get('visitor'))))

    .delete('/', async (c) => {
      const view = await ownData.delete(c.get('visitor'));
      clearSessionCookie(c);
      return answer(c, view);
    });
}

/** The browsers that act for the asking customer. */
export function deviceRoutes(ownData: OwnData) {
  return new Hono<AppEnv>()
    .get('/', async (c) => answer(c, await ownData.devices(c.get('visitor'))))

    .delete('/', async (c) => {
      const view = await ownData.signOutEverywhere(c.get('visitor'));
      clearSessionCookie(c);
      return answer(c, view);
    });
}
