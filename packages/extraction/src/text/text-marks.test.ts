import { expect, test } from 'vitest'
import { marked, resolveMarks, type TextStyle } from './text-marks.ts'

const raised = { isRaised: true }
const lowered = { isLowered: true }
const struck = { isStruck: true }
const resolved = (pieces: (string | [string, TextStyle])[]) =>
  resolveMarks(
    pieces.map((one) => (typeof one === 'string' ? one : marked(...one))).join(''),
  )

test.each<[string, (string | [string, TextStyle])[]]>([
  ['10⁶ m²', ['10', ['6', raised], ' m', ['2', raised]]],
  ['10⁻⁶', ['10', ['-', raised], ['6', raised]]],
  ['H₂O, SO₄²⁻', ['H', ['2', lowered], 'O, SO', ['4', lowered], ['2-', raised]]],
  [
    '1st 2e Acme™ n',
    [
      '1',
      ['st', raised],
      ' 2',
      ['e', raised],
      ' Acme',
      ['™', raised],
      ' n',
      ['', raised],
    ],
  ],
  ['V max', ['V ', ['max', lowered]]],
  [
    'xⁿ e^x 2^(x+1) 4^(1/2) 10^0.5',
    [
      ...(['x', ['n', raised], ' e', ['x', raised], ' 2', ['x+1', raised]] as const),
      ...([' 4', ['1/2', raised], ' 10', ['0.5', raised]] as const),
    ] as [string, TextStyle][],
  ],
  [
    'free¹,² and[1] 30¹',
    ['free', ['1,2', raised], ' and', ['[1]', raised], ' 30', ['1', raised]],
  ],
  ['~~10 €~~ 8 €', [['10', struck], [' €', struck], ' 8 €']],
  [
    '~~10 m²~~ 8',
    [['10 m', struck], ['2', { ...raised, ...struck }], [' ', struck], '8'],
  ],
  ['~~a b~~ c', [['a', struck], ' ', ['b', struck], ' c']],
])('writes %s', (expected, pieces) => expect(resolved(pieces)).toBe(expected))

test('omits marks in the text itself, and struck text where its value counts', () => {
  expect(resolved(['a\ufdd0b', ['\ufdd2c', struck]])).toBe('ab~~c~~')
  expect(resolveMarks(marked('7', struck), { keepsStruck: false })).toBe('7')
})
