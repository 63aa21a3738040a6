import { LoggableError } from '../errors.ts';

/** The parts of an error that the log shows. */
interface SafeError {
  name: string;
  code?: string | number;
  /** Only of our own errors. */
  message?: string;
  /** Where the error was thrown, without the message. */
  stack?: string;
  cause?: SafeError;
}

const maxCauses = 5;
const plainName = /^[\w$.-]{1,64}$/;
const frame = /^ {4}at .*(?::\d+:\d+\)?|\((?:<anonymous>|native|index \d+)\))$/;

/**
 * SECURITY: messages and fields of errors from libraries quote their input: the body of an answer, an address in the
 * reply of a mail server, the claims of a token. Name, code and stack say enough.
 */
export function safeError(thrown: unknown, causes = 0): SafeError {
  if (!(thrown instanceof Error)) return { name: typeof thrown };
  const { name, message, stack = '', cause, code } = thrown as NodeJS.ErrnoException & { code?: unknown };
  const frames = stack
    .replace(message, '')
    .split('\n')
    .filter((line) => frame.test(line));
  const isPlainCode = typeof code === 'number' || (typeof code === 'string' && plainName.test(code));
  return {
    name: plainName.test(name) ? name : 'Error',
    ...(isPlainCode && { code }),
    ...(thrown instanceof LoggableError && { message }),
    ...(frames.length > 0 && { stack: frames.join('\n') }),
    ...(cause !== undefined && causes < maxCauses && { cause: safeError(cause, causes + 1) }),
  };
}
