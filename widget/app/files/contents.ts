import { folder } from '../browser/storage.ts';

/** The IndexedDB database with the contents of files. It exists once a file was attached in this browser. */
export const databaseName = `deskside${folder}-files`;

/** Whether contents may be left from an earlier page, also where the browser does not say. */
export const mayHaveContents = async (): Promise<boolean> => {
  try {
    return (await indexedDB.databases()).some(({ name }) => name === databaseName);
  } catch {
    return true;
  }
};
