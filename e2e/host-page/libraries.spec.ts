import { signInAgent } from '../support/agent.ts';
import { expect, test } from '../support/fixtures.ts';
import { libraries } from '../support/hosts/libraries.ts';
import { makeJourney } from '../world/journey.ts';

for (const { name } of libraries)
  test(
    `on a page with ${name} the widget works as on a plain page, also above the page's modal dialog`,
    {
      tag: name === libraries[0]!.name ? [] : '@slow',
    },
    async ({ context, stack }) => {
      const agent = await signInAgent(stack);
      const results = await makeJourney({ context, agent, url: `${stack.host.origin}/libraries/${name}` });
      expect(Object.entries(results).filter(([, fault]) => fault !== null)).toEqual([]);
    },
  );
