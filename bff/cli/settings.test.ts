import { expect, it } from 'vitest';
import { settingNames } from '../config.ts';
import { settings } from './settings.ts';

it('the table has every setting of the configuration once, and no other', () => {
  expect(settings.map(({ name }) => name).toSorted()).toEqual(settingNames.toSorted());
});
