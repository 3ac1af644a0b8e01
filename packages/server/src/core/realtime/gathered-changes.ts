// Gathers changes until they are taken. Many changes of one topic and bot become one note.
import type { Change } from './change.ts'

/** Distinct objects of one topic and bot that get a note each. */
const maxNamed = 3

type Names = Pick<Change, 'id' | 'conversationId'>

interface Gathered {
  change: Change
  /** The changed objects; null if there are too many. */
  named: Map<string, Names> | null
}

export class GatheredChanges {
  #gathered = new Map<string, Gathered>()

  add({ id, conversationId, ...change }: Change): void {
    const key = `${change.topic} ${change.botId ?? change.workspaceId}`
    let gathered = this.#gathered.get(key)
    if (!gathered) {
      gathered = { change, named: new Map() }
      this.#gathered.set(key, gathered)
    }
    const { named } = gathered
    if (named === null) return
    const names = { ...(id && { id }), ...(conversationId && { conversationId }) }
    named.set(`${id} ${conversationId}`, names)
    if (named.size > maxNamed || (!id && !conversationId)) gathered.named = null
  }

  take(): Change[] {
    const taken = [...this.#gathered.values()].flatMap(({ change, named }): Change[] =>
      named ? [...named.values()].map((names) => ({ ...change, ...names })) : [change],
    )
    this.#gathered = new Map()
    return taken
  }
}
