/** An element of a formula; the names are those of MathML and of Office. */
export interface FormulaNode {
  name: string
  attributes: Record<string, string>
  text: string
  children: FormulaNode[]
}
