import type { SiteRatings } from '../../../shared/contract/site.ts';
import type { ConversationProps } from '../app.ts';
import { adoptStyles } from '../ui/adopt-styles.ts';
import { createRatingModel } from './model.ts';
import { ratingView } from './Rating.tsx';
import css from './ratings.css?inline';

/** Makes what is drawn below a conversation. `isLate`: its messages have been on screen without it. */
export function createRatings({ sentences }: SiteRatings) {
  adoptStyles(css);
  const model = createRatingModel();
  return (conversation: ConversationProps, isLate: boolean) =>
    ratingView(model, sentences, conversation, isLate);
}
