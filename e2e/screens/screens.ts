import { underConditions } from './conditions.ts';
import { customerScreens } from './customer-screens.ts';
import { startScreens } from './start-screens.ts';
import { threadScreens } from './thread-screens.ts';

const plain = [...startScreens, ...threadScreens, ...customerScreens];

/** Every screen, for pictures and for axe: what is added here is looked at by both. */
export const screens = [...plain, ...underConditions(plain)];
