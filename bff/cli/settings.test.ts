import { expect, it } from 'vitest';
import { settingNames } from '../config.ts';
import { settings } from './settings.ts';

it('every setting of the configuration is in the table once, and no other', () => {
  expect(settings.map(({ name }) => name).toSorted()).toEqual(settingNames.toSorted());
});
