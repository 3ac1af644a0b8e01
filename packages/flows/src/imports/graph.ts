// Places the nodes of a graph in flows. Branches that the source runs at the same time become flows that run
// one after another, up to the node where they meet again.
import type { Card } from '../document/card-shapes.ts'
import type { Assembly } from './assembly.ts'

export interface Edge {
  from: string
  /** Output of the node; '' for its only one. */
  handle: string
  to: string
}

interface Fork {
  id: string
  branches: string[]
  join: string | undefined
}

export class Graph {
  readonly #bot: Assembly
  readonly #targets = new Map<string, Map<string, string[]>>()
  readonly #flows = new Map<string, string>()
  /** Nodes at which a flow ends, because the calling flow continues there. */
  readonly #stops = new Map<string, Set<string>>()
  readonly #forks = new Map<string, Fork>()
  readonly #exits = new Set<string>()

  constructor(bot: Assembly, edges: Edge[]) {
    this.#bot = bot
    for (const { from, handle, to } of edges) {
      const handles = this.#targets.get(from) ?? new Map<string, string[]>()
      const targets = handles.get(handle) ?? []
      this.#targets.set(from, handles.set(handle, [...new Set([...targets, to])]))
    }
  }

  /** Places the nodes that can be reached from the entry in the flow. */
  place(entry: string, flow: string, stops: ReadonlySet<string> = new Set()): void {
    this.#stops.set(flow, new Set([...(this.#stops.get(flow) ?? []), ...stops]))
    const waiting = [entry]
    for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
      if (this.#flows.has(id) || stops.has(id)) continue
      this.#flows.set(id, flow)
      for (const [handle, targets] of this.#targets.get(id) ?? []) {
        const [only, ...others] = targets
        if (others.length === 0) waiting.push(only!)
        else waiting.push(...this.#fork(id, handle, targets, stops))
      }
    }
  }

  flowOf(id: string): string | undefined {
    return this.#flows.get(id)
  }

  /** Returns the id for `next` or a target; undefined at the end of the flow. */
  next(id: string, handle = ''): string | undefined {
    const fork = this.#forks.get(toKey(id, handle))
    if (fork) return fork.id
    const target = this.#targets.get(id)?.get(handle)?.[0]
    const flow = this.#flows.get(id)
    return target !== undefined &&
      flow !== undefined &&
      this.#stops.get(flow)?.has(target)
      ? undefined
      : target
  }

  /** Returns the id for a target of a card. At the end of the flow, this is a node that ends it. */
  target(id: string, handle: string): string {
    const next = this.next(id, handle)
    if (next !== undefined) return next
    const flow = this.#flows.get(id)!
    const exit = `${flow}\u0000exit`
    if (!this.#exits.has(exit)) {
      this.#exits.add(exit)
      this.#bot.addNode(flow, { id: exit, label: 'end', cards: [] })
    }
    return exit
  }

  handles(id: string): string[] {
    return [...(this.#targets.get(id)?.keys() ?? [])]
  }

  /** Returns the node at which the branches meet, if there is one. */
  #fork(
    id: string,
    handle: string,
    targets: string[],
    stops: ReadonlySet<string>,
  ): string[] {
    const reached = targets.map((target) => this.#reach(target, stops))
    const join = [...reached[0]!].find((one) => reached.every((all) => all.has(one)))
    const branches = targets.filter((target) => target !== join)
    const fork = { id: `${id}\u0000${handle}\u0000fork`, branches, join }
    this.#forks.set(toKey(id, handle), fork)
    const flow = this.#flows.get(id)!
    const cards = branches.map((branch): Card => {
      const name = this.#bot.addFlow(`branch\u0000${branch}`, 'branch')
      return { type: 'callFlow', flow: name }
    })
    const inside = new Set([...stops, ...(join === undefined ? [] : [join])])
    for (const branch of branches) {
      this.#bot.enterAt(`branch\u0000${branch}`, branch)
      this.place(branch, `branch\u0000${branch}`, inside)
    }
    const next = join !== undefined && !stops.has(join) ? join : undefined
    this.#bot.addNode(flow, { id: fork.id, label: 'branches', cards, next })
    this.#bot.remark(
      'Branches that ran at the same time run one after another: check the order of their messages.',
    )
    return next === undefined ? [] : [next]
  }

  /** In the order of their distance. */
  #reach(from: string, stops: ReadonlySet<string>): Set<string> {
    const found = new Set([from])
    for (const id of found)
      for (const targets of this.#targets.get(id)?.values() ?? [])
        for (const target of targets) if (!stops.has(target)) found.add(target)
    return found
  }
}

const toKey = (id: string, handle: string) => `${id}\u0000${handle}`
