const only = require('./only.cjs');

module.exports = [
  // Helpers of tests start the whole service.
  only('service', '^service/', '^(service|shared)/'),
  // A search leaves out the line for agents, so the database has a function of SQL that cuts it off.
  only('service-db', '^service/db/', '^service/(db/|tickets/footer\\.ts)'),
  only('service-agents', '^service/agents/', '^service/(agents/|db/|secrets\\.ts)'),
  only('service-keys', '^service/keys/', '^service/(keys/|db/|secrets\\.ts)'),
  // A change of a ticket and its event are written in one transaction.
  only('service-tickets', '^service/tickets/', '^service/(tickets/|db/|webhooks/events\\.ts)'),
  // Events carry tickets and messages.
  only('service-webhooks', '^service/webhooks/', '^service/(webhooks/|db/|tickets/model\\.ts)'),
  only('service-api', '^service/api/', '^service/(api|tickets|keys|deps|problem)(/|\\.ts)'),
  only(
    'service-desk',
    '^service/desk/(?!test-)',
    '^(shared/|service/(desk|agents|keys|tickets|webhooks|deps|problem)(/|\\.ts))',
  ),
  {
    name: 'desk-routes-are-the-top',
    severity: 'error',
    from: { path: '^service/desk/', pathNot: '^service/desk/(routes/|desk\\.tsx)' },
    to: { path: '^service/desk/routes/' },
  },
  only(
    'desk-views',
    '^service/desk/views/',
    '^(shared/|service/(desk/(views|sentences|script|stylesheet|version)|agents|keys|tickets|webhooks)(/|\\.ts))',
  ),
  {
    // Routes read, views draw. So views take types from the files with SQL, and lists of names.
    name: 'desk-views-read-no-database',
    severity: 'error',
    from: { path: '^service/desk/views/', pathNot: '\\.test\\.tsx?$' },
    to: {
      path: '^service/(agents|keys|tickets|webhooks)/',
      pathNot: '^service/(tickets/(model|footer|search-tickets)|webhooks/events)\\.ts$',
      dependencyTypesNot: ['type-only'],
    },
  },
  {
    name: 'desk-views-know-no-ticket-page',
    severity: 'error',
    from: { path: '^service/desk/views/(?!ticket/)' },
    to: { path: '^service/desk/views/ticket/' },
  },
  only('desk-browser', '^service/desk/browser/', '^service/desk/(browser/|sentences/|views/time\\.ts)'),
  only('desk-styles', '^service/desk/styles/', '^service/desk/styles/'),
  only('desk-sentences-stand-alone', '^service/desk/sentences/', '^service/desk/sentences/'),
  // The contract check knows a service by its HTTP API alone.
  only('service-contract-stands-alone', '^service/contract/', '^service/contract/'),
];
