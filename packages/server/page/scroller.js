// Where the reader is: at the end, and kept there as messages come, or further up, and left in peace.

const NEAR = 80

export function openScroller(box, newestButton) {
  const atEnd = () => box.scrollHeight - box.scrollTop - box.clientHeight < NEAR
  const toEnd = () => {
    box.scrollTop = box.scrollHeight
    newestButton.hidden = true
  }
  let follows = true
  box.addEventListener('scroll', () => {
    follows = atEnd()
    if (follows) newestButton.hidden = true
  })
  newestButton.addEventListener('click', () => {
    toEnd()
    box.focus({ preventScroll: true })
  })
  // Pictures arrive after their message, and keyboards slide in.
  const sizes = new ResizeObserver(() => follows && toEnd())
  sizes.observe(box)
  sizes.observe(box.firstElementChild)

  return {
    /** Makes a change and sees to it that the reader's place stays right. */
    around({ toEnd: wanted = false, keepPlace = false }, change) {
      const wasAtEnd = follows
      const [top, height] = [box.scrollTop, box.scrollHeight]
      change()
      if (keepPlace) box.scrollTop = top + box.scrollHeight - height
      else if (wanted || wasAtEnd) toEnd()
      else if (box.scrollHeight > height) newestButton.hidden = false
    },
  }
}
