// The user's opinion on a message: thumbs, then an optional comment.
import { element } from './dom.js'
import { t } from './texts.js'

const thumbs = [
  { value: 'positive', label: 'goodAnswer' },
  { value: 'negative', label: 'badAnswer' },
]

/**
 * `save(feedback)` stores the opinion, null removes it; it resolves with whether that succeeded.
 */
export function createRating({ rating = null, comment = '' }, save) {
  const box = element('span', { class: 'rating' })
  let current = rating

  async function choose(value) {
    const next = value === current ? null : value
    if (!(await save(next && { rating: next }))) return
    current = next
    draw(next ? commentForm() : null)
  }

  function commentForm() {
    const field = element('input', {
      'aria-label': t('comment'),
      maxlength: 2000,
      value: comment,
    })
    field.placeholder = t('commentOptional')
    const submit = async (event) => {
      event.preventDefault()
      const text = field.value.trim()
      if (await save({ rating: current, ...(text && { comment: text }) })) draw(thanks())
    }
    const button = element('button', { type: 'submit', class: 'quiet' }, t('sendComment'))
    return element('form', { submit }, field, button)
  }

  function draw(after) {
    const buttons = thumbs.map(({ value, label }) =>
      element('button', {
        type: 'button',
        class: value,
        'aria-label': t(label),
        title: t(label),
        'aria-pressed': String(value === current),
        click: () => choose(value),
      }),
    )
    box.replaceChildren(...buttons, ...(after ? [after] : []))
  }

  draw(null)
  return box
}

const thanks = () => element('span', { role: 'status' }, t('thanks'))
