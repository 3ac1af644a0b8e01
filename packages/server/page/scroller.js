// Scroll position: stays at the end while messages arrive, unless the user has scrolled up.

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
  // Images load after their message, and on-screen keyboards change the size.
  const sizes = new ResizeObserver(() => follows && toEnd())
  sizes.observe(box)
  sizes.observe(box.firstElementChild)

  return {
    /**
     * Applies a change and keeps the scroll position: at the end, or with keepPlace at the same
     * message.
     */
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
