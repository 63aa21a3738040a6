import type { Extra } from '../../core/extra.ts';
import { sentencesOf } from '../../core/site/site.ts';
import { addConsent, consentSchema, consentsOf } from './consents.ts';
import { createForm, siteForm } from './form.ts';
import { valuesOf } from '../../core/settings/settings.ts';
import { formSettings } from './settings.ts';

/**
 * The operator's own form: topics, fields and a consent. Consents that were given before stay in customers' data, also
 * where there is no form any more.
 */
export const form: Extra = {
  name: 'form',
  settings: formSettings,
  schema: consentSchema,
  create({ config, store, now }) {
    const { FORM_FILE: file } = valuesOf(formSettings, config.values);
    return {
      ...(file && {
        ...createForm({ form: file, now }),
        site: (language: string) => ({
          sentences: { form: sentencesOf(language).site.form },
          form: siteForm(file, language),
        }),
      }),
      alsoRecord({ kind, payload }) {
        const consent = kind === 'ticket' ? payload.form?.consent : undefined;
        return consent ? (operationId, db) => addConsent(operationId, consent, db) : null;
      },
      async sendData(operationIds) {
        const consents = await consentsOf(operationIds, store);
        return new Map([...consents].map(([id, consent]) => [id, { consent }]));
      },
    };
  },
};
