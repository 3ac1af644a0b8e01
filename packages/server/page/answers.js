// Shows which options and buttons of messages the user has chosen, also after a reload.
import { closeChoice, showAnsweredChoice, showPressedButton } from './message-view.js'

export function openAnswers() {
  /** Times of the latest answered choices, by their options. */
  const answered = new Map()

  /** Disables a choice that the user has answered where it was repeated. */
  function closeRepeated(entry) {
    const group =
      !entry.own && entry.row.querySelector('.choices:not(:has([aria-pressed=true]))')
    if (group && entry.createdAt < (answered.get(getOptions(entry)) ?? ''))
      closeChoice(group)
  }

  /** Disables choices that the user's next message answers, and earlier ones with the same options. */
  function showChoices(entries, index) {
    closeRepeated(entries[index])
    for (const at of [index, index + 1]) {
      const [question, answer] = [entries[at - 1], entries[at]]
      if (!question || !answer || question.own || !answer.own) continue
      if (!showAnsweredChoice(question.row, answer.payload)) continue
      answered.set(getOptions(question), question.createdAt)
      for (const entry of entries.slice(0, at - 1)) closeRepeated(entry)
    }
  }

  return {
    /** Shows the choices of, or by, a message that is new on the screen, or was changed. */
    show(entries, entry) {
      const index = entries.indexOf(entry)
      showChoices(entries, index)
      if (entry.own) return showButtons(entries.slice(0, index), [entry])
      showButtons([entry], entries.slice(index + 1))
    },
  }
}

/** A button stays chosen after further messages, also where its card was repeated before them. */
function showButtons(earlier, later) {
  const cards = earlier.filter(
    ({ own, row }) => !own && row.querySelector('.card button'),
  )
  if (cards.length === 0) return
  for (const { own, payload } of later)
    if (own) for (const { row } of cards) showPressedButton(row, payload)
}

const getOptions = ({ payload }) => JSON.stringify(payload?.options)
