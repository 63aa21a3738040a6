/**
 * A rule for dependency-cruiser: what lies at `from` imports nothing of this repository but what lies at `may`. Tests may
 * import anything. Both are regular expressions for paths from the root.
 */
module.exports = (name, from, may) => ({
  name,
  severity: 'error',
  from: { path: from, pathNot: '\\.test(-d)?\\.tsx?$' },
  to: { path: '^(widget|bff|service|shared|e2e|demo|scripts)/', pathNot: may },
});
