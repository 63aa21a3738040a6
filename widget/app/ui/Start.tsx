import { Hero } from './Hero.tsx';
import type { SharedProps } from './shared.ts';
import { TicketList } from './TicketList.tsx';
import { Waiting } from './Waiting.tsx';
import { Ways } from './Ways.tsx';
import { View } from './View.tsx';

/** Where a customer who has written before begins: the greeting and their tickets. */
export function Start({ app }: SharedProps) {
  const { s, view, list, home, tickets } = app;
  return (
    <View app={app}>
      <Hero app={app} />
      <div class="body">
        <button type="button" class="button" onClick={() => view.go({ name: 'new' })}>
          {s.newTicket}
        </button>
        {(home.value !== 'tickets' || list.value.length > 0) && (
          <>
            <h2 class="label">{s.yourTickets}</h2>
            {home.value === 'tickets' ? (
              <TicketList app={app} />
            ) : (
              <Waiting app={app} failure={tickets.listFailure.value} />
            )}
          </>
        )}
        <Ways app={app} />
      </div>
    </View>
  );
}
