// The text that a member has not sent yet. It survives a reload of the page, and is kept while
// another member answers. So does the key of the request that sent it, if its response was lost: sent
// again, the text is stored once.
import { newId } from 'page/ids.js'
import { useState } from 'react'

interface Draft {
  text: string
  sent?: Sent | undefined
}

interface Sent {
  text: string
  key: string
}

const getKey = (handoffId: string) => `botstead.draft.${handoffId}`

function readDraft(handoffId: string): Draft {
  try {
    return JSON.parse(sessionStorage.getItem(getKey(handoffId)) ?? 'null') ?? { text: '' }
  } catch {
    return { text: '' }
  }
}

export const storedDraft = (handoffId: string): string => readDraft(handoffId).text

function store(handoffId: string, draft: Draft) {
  try {
    if (draft.text) sessionStorage.setItem(getKey(handoffId), JSON.stringify(draft))
    else sessionStorage.removeItem(getKey(handoffId))
  } catch {
    // Storage is disabled: a reload loses the draft.
  }
}

export function useDraft(handoffId: string) {
  const [draft, setDraft] = useState(() => readDraft(handoffId))
  const change = (changed: Draft) => {
    setDraft(changed)
    store(handoffId, changed)
  }
  return {
    text: draft.text,
    setText: (text: string) => change({ text, sent: text ? draft.sent : undefined }),
    /** Returns the key of the request that sends this text. */
    getKey(text: string): string {
      const sent = draft.sent?.text === text ? draft.sent : { text, key: newId() }
      change({ text: draft.text, sent })
      return sent.key
    },
  }
}
