// A node of the canvas of Flowise.
import type { Json } from '../reading.ts'

export interface FlowiseNode {
  id: string
  name: string
  category: string
  label: string
  inputs: Json
  parent: string | undefined
  position: { x: number; y: number } | undefined
  raw: Json
}
