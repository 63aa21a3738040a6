/** SQL of each schema version in order; `user_version` counts those that have run. Never edit one that has shipped. */
export const migrations: readonly string[] = [
  `
  CREATE TABLE workspaces (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    last_ticket_number INTEGER NOT NULL DEFAULT 0,
    created_at TEXT NOT NULL
  ) STRICT;

  CREATE TABLE api_keys (
    id TEXT PRIMARY KEY,
    workspace_id TEXT NOT NULL REFERENCES workspaces (id),
    label TEXT NOT NULL,
    hint TEXT NOT NULL,
    hash TEXT NOT NULL UNIQUE,
    created_at TEXT NOT NULL,
    last_used_at TEXT,
    revoked_at TEXT
  ) STRICT;
  CREATE INDEX api_keys_of_workspace ON api_keys (workspace_id);

  CREATE TABLE agents (
    id TEXT PRIMARY KEY,
    workspace_id TEXT NOT NULL REFERENCES workspaces (id),
    email TEXT NOT NULL,
    email_folded TEXT NOT NULL UNIQUE,
    password_hash TEXT NOT NULL,
    created_at TEXT NOT NULL
  ) STRICT;

  CREATE TABLE agent_sessions (
    token_hash TEXT PRIMARY KEY,
    agent_id TEXT NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
    expires_at TEXT NOT NULL
  ) STRICT;

  CREATE TABLE customers (
    id TEXT PRIMARY KEY,
    workspace_id TEXT NOT NULL REFERENCES workspaces (id),
    email TEXT NOT NULL,
    email_folded TEXT NOT NULL,
    name TEXT,
    company TEXT,
    created_at TEXT NOT NULL,
    UNIQUE (workspace_id, email_folded)
  ) STRICT;

  CREATE TABLE tickets (
    id TEXT PRIMARY KEY,
    workspace_id TEXT NOT NULL REFERENCES workspaces (id),
    ticket_number INTEGER NOT NULL,
    customer_id TEXT NOT NULL REFERENCES customers (id),
    subject TEXT NOT NULL,
    description TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('new', 'open', 'pending', 'solved', 'closed')),
    priority TEXT NOT NULL CHECK (priority IN ('low', 'medium', 'high', 'urgent')),
    source TEXT NOT NULL,
    merged_into TEXT REFERENCES tickets (id),
    is_unread INTEGER NOT NULL DEFAULT 1,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    UNIQUE (workspace_id, ticket_number)
  ) STRICT;
  CREATE INDEX tickets_by_activity ON tickets (workspace_id, updated_at);
  CREATE INDEX tickets_of_customer ON tickets (customer_id);
  CREATE INDEX tickets_merged_into ON tickets (merged_into) WHERE merged_into IS NOT NULL;

  CREATE TABLE messages (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    ticket_id TEXT NOT NULL REFERENCES tickets (id),
    is_internal INTEGER NOT NULL DEFAULT 0,
    author_type TEXT NOT NULL CHECK (author_type IN ('customer', 'agent')),
    agent_id TEXT REFERENCES agents (id),
    body TEXT NOT NULL,
    created_at TEXT NOT NULL,
    CHECK (is_internal = 0 OR author_type = 'agent')
  ) STRICT;
  CREATE INDEX messages_of_ticket ON messages (ticket_id, seq);

  CREATE TABLE webhook_endpoints (
    id TEXT PRIMARY KEY,
    workspace_id TEXT NOT NULL REFERENCES workspaces (id),
    url TEXT NOT NULL,
    secret TEXT NOT NULL,
    is_active INTEGER NOT NULL DEFAULT 1,
    created_at TEXT NOT NULL
  ) STRICT;
  CREATE INDEX webhook_endpoints_of_workspace ON webhook_endpoints (workspace_id);

  CREATE TABLE webhook_subscriptions (
    endpoint_id TEXT NOT NULL REFERENCES webhook_endpoints (id) ON DELETE CASCADE,
    event_type TEXT NOT NULL,
    PRIMARY KEY (endpoint_id, event_type)
  ) STRICT;

  CREATE TABLE webhook_events (
    id TEXT PRIMARY KEY,
    type TEXT NOT NULL,
    payload TEXT NOT NULL,
    created_at TEXT NOT NULL
  ) STRICT;
  CREATE INDEX webhook_events_by_age ON webhook_events (created_at);

  CREATE TABLE webhook_deliveries (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    event_id TEXT NOT NULL REFERENCES webhook_events (id) ON DELETE CASCADE,
    endpoint_id TEXT NOT NULL REFERENCES webhook_endpoints (id) ON DELETE CASCADE,
    state TEXT NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'delivered', 'failed')),
    attempt_count INTEGER NOT NULL DEFAULT 0,
    next_attempt_at TEXT,
    UNIQUE (event_id, endpoint_id)
  ) STRICT;
  CREATE INDEX webhook_deliveries_due ON webhook_deliveries (next_attempt_at) WHERE state = 'pending';
  CREATE INDEX webhook_deliveries_next
    ON webhook_deliveries (endpoint_id, attempt_count, id, next_attempt_at) WHERE state = 'pending';
  CREATE INDEX webhook_deliveries_of_endpoint ON webhook_deliveries (endpoint_id, id);

  CREATE TABLE webhook_attempts (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    delivery_id INTEGER NOT NULL REFERENCES webhook_deliveries (id) ON DELETE CASCADE,
    attempted_at TEXT NOT NULL,
    duration_ms INTEGER NOT NULL,
    status INTEGER,
    error TEXT
  ) STRICT;
  CREATE INDEX webhook_attempts_of_delivery ON webhook_attempts (delivery_id, id);
  `,
  `
  -- Whether the customer waits for an answer, in place of whether an agent has looked.
  ALTER TABLE tickets RENAME COLUMN is_unread TO needs_answer;
  -- A solved or closed ticket whose newest activity is the customer's reply has not been closed since.
  UPDATE tickets SET needs_answer = merged_into IS NULL AND coalesce(
    (SELECT m.author_type = 'customer'
        AND (tickets.status NOT IN ('solved', 'closed') OR m.created_at >= tickets.updated_at)
     FROM messages m WHERE m.ticket_id = tickets.id AND m.is_internal = 0 ORDER BY m.seq DESC LIMIT 1),
    tickets.status NOT IN ('solved', 'closed'));
  -- All that the desk counts and orders its list by, so that neither reads the tickets' texts.
  CREATE INDEX tickets_by_state
    ON tickets (workspace_id, needs_answer, status, merged_into, priority, updated_at, ticket_number);

  CREATE TABLE drafts (
    agent_id TEXT NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
    ticket_id TEXT NOT NULL REFERENCES tickets (id) ON DELETE CASCADE,
    answer TEXT NOT NULL,
    note TEXT NOT NULL,
    PRIMARY KEY (agent_id, ticket_id)
  ) STRICT, WITHOUT ROWID;
  `,
  `
  CREATE TABLE saved_answers (
    id TEXT PRIMARY KEY,
    workspace_id TEXT NOT NULL REFERENCES workspaces (id),
    name TEXT NOT NULL,
    text TEXT NOT NULL,
    UNIQUE (workspace_id, name)
  ) STRICT;

  ALTER TABLE tickets ADD COLUMN assignee_id TEXT REFERENCES agents (id);
  DROP INDEX tickets_by_state;
  -- All that the desk counts and orders its list by, so that neither reads the tickets' texts.
  CREATE INDEX tickets_by_state
    ON tickets (workspace_id, needs_answer, status, merged_into, priority, updated_at, ticket_number, assignee_id);

  -- Whether the desk opens the next ticket when this agent has sent an answer.
  ALTER TABLE agents ADD COLUMN opens_next INTEGER NOT NULL DEFAULT 0;
  `,
  `
  -- What agents have attached. The bytes are in a folder, by the hash.
  CREATE TABLE files (
    token_hash TEXT PRIMARY KEY,
    workspace_id TEXT NOT NULL REFERENCES workspaces (id),
    agent_id TEXT NOT NULL REFERENCES agents (id),
    name TEXT NOT NULL,
    type TEXT,
    size INTEGER NOT NULL,
    created_at TEXT NOT NULL
  ) STRICT;
  `,
];
