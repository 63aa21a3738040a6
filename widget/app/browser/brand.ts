import type { Brand } from '../../../shared/contract/site.ts';

/** The operator's brand, as the document has it. */
export function readBrand(): Partial<Brand> {
  try {
    return JSON.parse(document.getElementById('brand')!.textContent) as Brand;
  } catch {
    return {};
  }
}
