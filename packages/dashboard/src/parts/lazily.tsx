// Components that are loaded when they are shown first, so that pages load faster.
import { type ComponentType, lazy, type ReactNode, Suspense } from 'react'

/** Shows `meanwhile` while the component is loaded. */
export function lazily<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  meanwhile: ReactNode = null,
): ComponentType<Props> {
  const Component = lazy(async () => ({ default: await load() }))
  return (props) => (
    <Suspense fallback={meanwhile}>
      <Component {...props} />
    </Suspense>
  )
}
