// Components that are loaded when they are shown first, so that pages load faster.
import { Modal } from '@mantine/core'
import {
  Component,
  type ComponentType,
  type LazyExoticComponent,
  lazy,
  type ReactNode,
  Suspense,
  useState,
} from 'react'
import { isMissingFile } from './missing-file.ts'
import { MissingFile } from './states.tsx'

/** Shows `meanwhile` while the component is loaded. */
export function lazily<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  meanwhile: ReactNode = null,
): ComponentType<Props> {
  const create = (): LazyExoticComponent<ComponentType<Props>> =>
    lazy(async () => {
      try {
        return { default: await load() }
      } catch (error) {
        // A lazy component keeps its failure. The next one to be shown loads again.
        latest = create()
        throw error
      }
    })
  let latest = create()
  return (props) => {
    // Kept: a failed render would otherwise load again without end.
    const [Loaded] = useState(() => latest)
    return (
      <FileBoundary isInPlace={meanwhile !== null} onClose={(props as Closable).onClose}>
        <Suspense fallback={meanwhile}>
          <Loaded {...props} />
        </Suspense>
      </FileBoundary>
    )
  }
}

/** Such as a dialog. */
interface Closable {
  onClose?: (() => void) | undefined
}

interface BoundaryProps extends Closable {
  /** Whether the explanation has the place of the component; otherwise it is a dialog. */
  isInPlace: boolean
  children: ReactNode
}

/** Explains a missing file. The rest of the page stays, with all that is typed there. */
class FileBoundary extends Component<BoundaryProps, { error: unknown }> {
  override state: { error: unknown } = { error: null }
  static getDerivedStateFromError = (error: unknown) => ({ error })

  override render() {
    const { error } = this.state
    const { isInPlace, onClose, children } = this.props
    if (error === null) return children
    if (!isMissingFile(error)) throw error
    return isInPlace ? <MissingFile /> : <MissingFileDialog onClose={onClose} />
  }
}

function MissingFileDialog({ onClose }: Closable) {
  const [isOpen, setOpen] = useState(true)
  const close = () => {
    setOpen(false)
    onClose?.()
  }
  return (
    <Modal opened={isOpen} onClose={close}>
      <MissingFile />
    </Modal>
  )
}
