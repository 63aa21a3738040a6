const only = require('./only.cjs');

module.exports = [
  only('journeys-see-public-surfaces', '^e2e/', '^((e2e|bff/contract|scripts)/|widget/npm/client\\.d\\.ts)'),
  only('faults-stand-alone', '^e2e/faults/', '^(e2e/faults|bff/contract|scripts)/'),
  only('attack', '^e2e/attack/', '^(e2e/(attack|support)|bff/contract|scripts)/'),
  only('faults-time', '^e2e/faults/time/', '^e2e/faults/time/'),
  only('faults-schedules', '^e2e/faults/schedules/', '^e2e/faults/schedules/'),
  only('faults-servers', '^e2e/faults/servers/', '^(e2e/faults/(servers|schedules|time)|scripts)/'),
  only(
    'faults-customers',
    '^e2e/faults/customers/',
    '^(e2e/faults/(customers|schedules|time)|bff/contract)/',
  ),
  only('faults-judging', '^e2e/faults/judging/', '^(e2e/faults/(judging|customers|servers)|scripts)/'),
  only(
    'faults-runs',
    '^e2e/faults/runs/',
    '^(e2e/faults/(runs|judging|customers|servers|schedules|time)|bff/contract|scripts)/',
  ),
  only(
    'cluster-servers',
    '^e2e/cluster/servers/',
    '^(e2e/(cluster/servers|faults/(servers|time))|bff/contract|scripts)/',
  ),
  {
    name: 'cluster-judges-at-the-end',
    severity: 'error',
    from: { path: '^e2e/cluster/', pathNot: '^e2e/cluster/(judging/|(run|main)\\.ts)' },
    to: { path: '^e2e/cluster/judging/' },
  },
];
