// Metrics counted in memory and written in Prometheus' text format on request. Counting is an
// addition to an object that the caller keeps, without label lookups. Use only labels with few
// values.

class Counter {
  value = 0
  add(by = 1) {
    this.value += by
  }
}

export class Histogram {
  readonly bounds: readonly number[]
  readonly counts: number[]
  sum = 0
  constructor(bounds: readonly number[]) {
    this.bounds = bounds
    this.counts = new Array(bounds.length + 1).fill(0)
  }
  observe(value: number) {
    let place = 0
    while (place < this.bounds.length && value > this.bounds[place]!) place++
    this.counts[place]!++
    this.sum += value
  }
}

export type Sample = { labels?: Record<string, string>; value: number }

export interface Registry {
  /** Returns a function that gives the counter for label values, in the order of `labels`. */
  counter(
    name: string,
    help: string,
    labels: readonly string[],
  ): (...values: string[]) => Counter
  histogram(
    name: string,
    help: string,
    labels: readonly string[],
    bounds: readonly number[],
  ): (...values: string[]) => Histogram
  /** Calls `read` at each request for metrics. */
  gauge(name: string, help: string, read: () => number | Sample[]): void
  /** Like `gauge`, for values that only grow. */
  total(name: string, help: string, read: () => number | Sample[]): void
  text(): string
}

export function openRegistry(): Registry {
  const parts: (() => string)[] = []
  const head = (name: string, type: string, help: string) =>
    `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`

  const family = <Child>(
    labels: readonly string[],
    make: () => Child,
    write: (labels: string, child: Child) => string,
    top: string,
  ) => {
    const children = new Map<string, Child>()
    parts.push(
      () => top + [...children].map(([key, child]) => write(key, child)).join(''),
    )
    return (...values: string[]) => {
      const key = labels.map((label, i) => pair(label, values[i] ?? '')).join(',')
      const known = children.get(key) ?? make()
      children.set(key, known)
      return known
    }
  }
  const read = (
    name: string,
    type: string,
    help: string,
    from: () => number | Sample[],
  ) => {
    parts.push(() => {
      const found = from()
      const samples = typeof found === 'number' ? [{ value: found }] : found
      return (
        head(name, type, help) +
        samples
          .map(({ labels = {}, value }: Sample) => line(name, pairs(labels), value))
          .join('')
      )
    })
  }

  return {
    counter: (name, help, labels) =>
      family(
        labels,
        () => new Counter(),
        (key, { value }) => line(name, key, value),
        head(name, 'counter', help),
      ),
    histogram: (name, help, labels, bounds) =>
      family(
        labels,
        () => new Histogram(bounds),
        (key, histogram) => buckets(name, key, histogram),
        head(name, 'histogram', help),
      ),
    gauge: (name, help, from) => read(name, 'gauge', help, from),
    total: (name, help, from) => read(name, 'counter', help, from),
    text: () => parts.map((part) => part()).join(''),
  }
}

function buckets(name: string, key: string, { bounds, counts, sum }: Histogram): string {
  let below = 0
  const lines = [...bounds, Number.POSITIVE_INFINITY].map((bound, i) => {
    below += counts[i]!
    return line(
      `${name}_bucket`,
      [key, pair('le', numberText(bound))].filter(Boolean).join(','),
      below,
    )
  })
  return (
    lines.join('') + line(`${name}_sum`, key, sum) + line(`${name}_count`, key, below)
  )
}

const line = (name: string, labels: string, value: number) =>
  `${name}${labels && `{${labels}}`} ${numberText(value)}\n`
const pairs = (labels: Record<string, string>) =>
  Object.entries(labels)
    .map(([name, value]) => pair(name, value))
    .join(',')
const pair = (name: string, value: string) =>
  `${name}="${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`
const numberText = (value: number) =>
  value === Number.POSITIVE_INFINITY ? '+Inf' : String(value)
