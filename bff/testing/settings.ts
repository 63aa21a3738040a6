import { parseConfig } from '../config.ts';
import { ConfigError } from '../core/settings/settings.ts';

/** All settings that are required. */
export const enough = {
  SUPPORT_API_URL: 'https://tickets.example.com/',
  SUPPORT_API_KEY: 'key-1',
  ALLOWED_ORIGINS: 'https://www.example.com, http://localhost:8080',
};

/** What is wrong with these settings; empty for nothing. */
export function errorsOf(env: Record<string, string>): string {
  try {
    parseConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  return '';
}
