/** Some browsers read the file only after the click. */
const keptMs = 10_000;

/** Saves a file to the customer's device. */
export function saveFile(name: string, content: string, type: string): void {
  const url = URL.createObjectURL(new Blob([content], { type }));
  Object.assign(document.createElement('a'), { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), keptMs);
}
