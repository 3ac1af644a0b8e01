// Compares findings with allowed.json: violations of before the rules. The list may only shrink: a finding
// outside of it fails, and so does an entry without a finding.

/** Returns the messages for findings by rule, each a list of strings. `rules` describes the rules. */
export function compare(findings, allowed, rules) {
  return Object.entries(rules).flatMap(([rule, remedy]) => {
    const [found, listed] = [new Set(findings[rule]), new Set(allowed[rule])]
    return [
      ...[...found].filter((one) => !listed.has(one)).map((one) => `${one}: ${remedy}`),
      ...[...listed]
        .filter((one) => !found.has(one))
        .map((one) => `scripts/house/allowed.json: remove "${one}" from ${rule}: it is no finding`),
    ]
  })
}

/** Returns the list without entries that are no findings any more. */
export const shrink = (findings, allowed) =>
  Object.fromEntries(
    Object.entries(allowed).map(([rule, entries]) => [
      rule,
      entries.filter((entry) => findings[rule].includes(entry)),
    ]),
  )
