// The text that a member has not sent yet. It survives a reload of the page, and is kept while
// another member answers.
import { useState } from 'react'

const keyOf = (handoffId: string) => `botstead.draft.${handoffId}`

export function storedDraft(handoffId: string): string {
  try {
    return sessionStorage.getItem(keyOf(handoffId)) ?? ''
  } catch {
    return ''
  }
}

function store(handoffId: string, text: string) {
  try {
    if (text) sessionStorage.setItem(keyOf(handoffId), text)
    else sessionStorage.removeItem(keyOf(handoffId))
  } catch {
    // Storage is disabled: a reload loses the draft.
  }
}

export function useDraft(handoffId: string): [string, (text: string) => void] {
  const [text, setText] = useState(() => storedDraft(handoffId))
  return [
    text,
    (changed) => {
      setText(changed)
      store(handoffId, changed)
    },
  ]
}
