import { customerScreens } from './customer-screens.ts';
import { startScreens } from './start-screens.ts';
import { threadScreens } from './thread-screens.ts';

/** Every screen, for pictures and for axe: what is added here is looked at by both. */
export const screens = [...startScreens, ...threadScreens, ...customerScreens];
