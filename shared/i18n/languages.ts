import { ar } from './ar.ts';
import { de } from './de.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { fa } from './fa.ts';
import { fr } from './fr.ts';
import { he } from './he.ts';
import { hi } from './hi.ts';
import { id } from './id.ts';
import { it } from './it.ts';
import { ja } from './ja.ts';
import { ko } from './ko.ts';
import { nl } from './nl.ts';
import { pl } from './pl.ts';
import { ptBR } from './pt-br.ts';
import { ru } from './ru.ts';
import { sv } from './sv.ts';
import { tr } from './tr.ts';
import { uk } from './uk.ts';
import { vi } from './vi.ts';
import type { Sentences } from './sentences.ts';
import { zhHans } from './zh-hans.ts';
import { zhHant } from './zh-hant.ts';

export interface Language {
  /** BCP 47 tag, as in `lang`. */
  tag: string;
  dir: 'ltr' | 'rtl';
  sentences: Sentences;
}

export const english: Language = { tag: 'en', dir: 'ltr', sentences: en };

/** Every language of Deskside. A browser gets one of them. */
export const languages: readonly Language[] = [
  english,
  { tag: 'de', dir: 'ltr', sentences: de },
  { tag: 'fr', dir: 'ltr', sentences: fr },
  { tag: 'es', dir: 'ltr', sentences: es },
  { tag: 'pt-BR', dir: 'ltr', sentences: ptBR },
  { tag: 'it', dir: 'ltr', sentences: it },
  { tag: 'nl', dir: 'ltr', sentences: nl },
  { tag: 'pl', dir: 'ltr', sentences: pl },
  { tag: 'sv', dir: 'ltr', sentences: sv },
  { tag: 'tr', dir: 'ltr', sentences: tr },
  { tag: 'uk', dir: 'ltr', sentences: uk },
  { tag: 'ru', dir: 'ltr', sentences: ru },
  { tag: 'ar', dir: 'rtl', sentences: ar },
  { tag: 'he', dir: 'rtl', sentences: he },
  { tag: 'fa', dir: 'rtl', sentences: fa },
  { tag: 'hi', dir: 'ltr', sentences: hi },
  { tag: 'ja', dir: 'ltr', sentences: ja },
  { tag: 'ko', dir: 'ltr', sentences: ko },
  { tag: 'zh-Hans', dir: 'ltr', sentences: zhHans },
  { tag: 'zh-Hant', dir: 'ltr', sentences: zhHant },
  { tag: 'vi', dir: 'ltr', sentences: vi },
  { tag: 'id', dir: 'ltr', sentences: id },
];
