// One flow: the canvas or the list, the form beside it, and the palette.
import { useMediaQuery } from '@mantine/hooks'
import { useMemo } from 'react'
import { Canvas } from '../canvas/canvas.tsx'
import { useStudio } from '../draft/use-draft.tsx'
import { Palette } from '../panel/palette.tsx'
import { Panel } from '../panel/panel.tsx'
import { useFlowEditor } from './flow-editor.tsx'
import { toGraph } from './flow-graph.ts'
import { ListView } from './list-view.tsx'

/** Phones show the list unless the canvas is chosen. */
export function useIsList(chosen: string | undefined) {
  const isPhone = useMediaQuery('(max-width: 48em)', undefined, {
    getInitialValueInEffect: false,
  })
  return chosen === undefined ? isPhone : chosen === 'list'
}

export function FlowView({ isList }: { isList: boolean }) {
  const { flow } = useFlowEditor()
  const { value } = useStudio()
  const graph = useMemo(() => toGraph(value, flow), [value, flow])
  return (
    <>
      {isList ? <ListView graph={graph} /> : <Canvas key={flow} graph={graph} />}
      <Panel />
      <Palette />
    </>
  )
}
