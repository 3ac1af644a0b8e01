import { expect, test } from 'vitest'
import type { Block } from '../blocks.ts'
import { htmlBlocks } from './html.ts'

/** Writes headings as `#`, other blocks as their text. */
const shown = (blocks: Block[]) =>
  blocks.map((block) =>
    block.kind === 'heading'
      ? `${'#'.repeat(block.level)} ${block.text}`.trim()
      : [...(block.header === undefined ? [] : [block.header]), block.text].join('\n'),
  )

test.each<[string, string, string[]]>([
  [
    'the text of a form',
    '<form><div><h1>Hi</h1><p>Text</p></div></form>',
    ['# Hi', 'Text'],
  ],
  [
    'no options of a field, but its label and the words of buttons',
    '<form><fieldset><legend>Pay</legend><label>Way<select><option>Card</select></label><button>Buy</button><input type="submit" value="Send"></fieldset></form>',
    ['Pay', 'Way Buy Send'],
  ],
  [
    'questions in buttons as headings',
    '<h3><button aria-expanded="false">Norway?</button></h3><div hidden><p>Five days.</p></div>',
    ['### Norway?', 'Five days.'],
  ],
  [
    'a button that opens an answer, up to the end of the answer',
    '<button aria-expanded="false" aria-controls="a">Invoice?</button>' +
      '<div id="a" hidden>Yes.</div><p>End</p>',
    ['####### Invoice?', 'Yes.', '#######', 'End'],
  ],
  [
    'raised numbers apart from the number before',
    '<p>10<sup>6</sup> of 5 m<sup>2</sup>, the 1<sup>st</sup> H<sub>2</sub>O<sup>[1]</sup></p>',
    ['10⁶ of 5 m², the 1st H₂O[1]'],
  ],
  [
    'struck text between tildes',
    '<p><s>99 <b>€</b>' +
      '</s> <span style="color:red; text-decoration: line-through">89</span> 79 € <del>old</del>' +
      '<strike> </strike><span class="ml-1 line-through">8</span></p>' +
      '<ul><li><del>one</del><li>two</ul><table><tr><td><s>9</s><td>8</table><del><p>a</p><p>b</p></del><pre><del>c</del></pre>',
    [
      '~~99 € 89~~ 79 € ~~old 8~~',
      '- ~~one~~\n- two',
      '~~9~~ | 8',
      '~~a~~',
      '~~b~~',
      'c',
    ],
  ],
  [
    'raised text by its style',
    '<p>10<span style="vertical-align: super">-6</span> CO<span style="vertical-align:sub">2</span></p>',
    ['10⁻⁶ CO₂'],
  ],
  ...(
    [
      [
        '1/2 x^2',
        '<mfrac><mn>1</mn><mrow><mn>2</mn></mrow></mfrac><msup><mi>x</mi><mn>2</mn></msup>',
      ],
      ['(a+b)/2', '<mfrac><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow><mn>2</mn></mfrac>'],
      ['1 1/2', '<mn>1</mn><mfrac><mn>1</mn><mn>2</mn></mfrac>'],
      ['x^(n+1)', '<msup><mi>x</mi><mrow><mi>n</mi><mo>+</mo><mn>1</mn></mrow></msup>'],
      [
        '√(x+1) = 27^(1/3)',
        '<msqrt><mi>x</mi><mo>+</mo><mn>1</mn></msqrt><mtext> = </mtext><mroot><mn>27</mn><mn>3</mn></mroot>',
      ],
      [
        '∑_(i=1)^n i',
        '<munderover><mo>∑</mo><mrow><mi>i</mi><mo>=</mo><mn>1</mn></mrow><mi>n</mi></munderover><mi>i</mi>',
      ],
      [
        'f(x, y)=90°',
        '<mi>f</mi><mo>&#x2061;</mo><mfenced><mi>x</mi><mi>y</mi></mfenced><mo>=</mo><msup><mn>90</mn><mo>∘</mo></msup>',
      ],
      [
        '[1, 2; 3, 4]',
        '<mo>[</mo><mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>2</mn></mtd></mtr><mtr><mtd><mn>3</mn></mtd><mtd><mn>4</mn></mtd></mtr></mtable><mo>]</mo>',
      ],
      ['x\u0304', '<mover><mi>x</mi><mo>¯</mo></mover><mphantom><mi>y</mi></mphantom>'],
      [
        '_6^14C',
        '<mmultiscripts><mi>C</mi><mprescripts/><mn>6</mn><mn>14</mn></mmultiscripts>',
      ],
    ] as const
  ).map(([text, formula]): [string, string, string[]] => [
    `the formula ${text}`,
    `<p>y: <math>${formula}</math>.</p>`,
    [`y: ${text}.`],
  ]),
  [
    'one version of a formula of KaTeX',
    '<p>a <span class="katex"><span class="katex-mathml"><math><semantics><mrow><msup><mn>10</mn><mn>6</mn></msup></mrow><annotation>10^6</annotation></semantics></math></span>' +
      '<span class="katex-html" aria-hidden="true"><span class="mord">10</span>' +
      '<span class="msupsub">6</span></span></span> b, <span class="katex">' +
      '<span class="katex-html"><span class="mord">10</span><span class="msupsub">' +
      '<span class="vlist-t">6</span></span></span></span></p>',
    ['a 10^6 b, 10^6'],
  ],
  [
    'one version of a formula of MathJax',
    '<p>a <mjx-container class="MathJax"><mjx-math aria-hidden="true"></mjx-math><mjx-assistive-mml><math><msup><mi>x</mi><mn>2</mn></msup></math></mjx-assistive-mml></mjx-container> b ' +
      '<span class="MathJax_Preview">x2</span><span class="MathJax" data-mathml="&lt;math&gt;&lt;msup&gt;&lt;mi&gt;x&lt;/mi&gt;&lt;mn&gt;3&lt;/mn&gt;&lt;/msup&gt;&lt;/math&gt;"><nobr>x3</nobr></span><script type="math/tex">x^3</script> c ' +
      '<span class="MathJax"><nobr>x4</nobr></span><script type="math/tex">x^4</script>' +
      '<script>var x</script></p>',
    ['a x^2 b x^3 c x^4'],
  ],
  [
    'one version of a formula of MediaWiki',
    '<p>a <span class="mwe-math-element"><span style="display: none"><math alttext="{x^{2}}"><msup><mi>x</mi><mn>2</mn></msup></math></span><img alt="{x^{2}}"></span> b</p>',
    ['a x^2 b'],
  ],
  [
    'cells of several rows in each of them',
    '<table><tr><th>City<th>Day<th>Hours<tr><td rowspan="2">Rome<td>Mo<td>9<tr><td>Tu<td>10<tr><td>Bonn<td>We<td>8</table>',
    ['City | Day | Hours\nRome | Mo | 9\nRome | Tu | 10\nBonn | We | 8'],
  ],
  [
    'rows in the order in which they are shown, with all rows of the header',
    '<table><tfoot><tr><th>Sum<td>3<td></tfoot><thead><tr>' +
      '<th rowspan="2">Plan<th colspan="2">Price<tr><th>2025<th>2026</thead>' +
      '<tbody><tr><td>A<td>1<td>2</tbody><tbody><tr><td>B<td>2<td>3</tbody></table>',
    ['Plan | Price\nPlan | 2025 | 2026\nA | 1 | 2\nB | 2 | 3\nSum | 3'],
  ],
  [
    'a header below its rows, and cells of several rows up to the end of their section',
    '<table><tbody><tr><td rowspan="0">x<td>1<tr><td>2</tbody><tbody><tr><td rowspan="9">y<td>3</tbody><tbody><tr><td>z<td>4</tbody><thead><tr><th>A<th>B</thead></table>',
    ['A | B\nx | 1\nx | 2\ny | 3\nz | 4'],
  ],
  [
    'letters, Roman numerals and reversed numbers of lists',
    '<ol type="a"><li>x<li>y<ol type="i"><li>q<li>r</ol></ol><p>p</p><ol reversed>' +
      '<li>x<li><ul><li>s</ul>y<li>z</ol><p>p</p>' +
      '<ol style="list-style-type: upper-latin" start="26"><li>x<li value="28">y</ol>' +
      '<p>p</p><ol style="list-style: none"><li>x</ol><p>p</p>' +
      '<ol start="0"><li>x</ol><table><tr><td>A<td><ol><li>x<li>y</ol></table>',
    [
      'a. x\nb. y\n  i. q\n  ii. r',
      'p',
      '3. x\n2.\n  - s\ny\n1. z',
      'p',
      'Z. x\nAB. y',
      'p',
      '- x',
      'p',
      '0. x',
      'A | 1. x; 2. y',
    ],
  ],
  [
    'cells below a cell of several columns',
    '<table><tr><th colspan="2">Region<th>Phone<tr><td>North<td>A<td>1</table>',
    ['Region |  | Phone\nNorth | A | 1'],
  ],
  [
    'cells by their roles',
    '<div role="row"><span role="cell">Tea</span><span role="cell">3</span></div>',
    ['Tea 3'],
  ],
  [
    'text in an image',
    '<svg><title>Icon</title><foreignObject><p>Total</p></foreignObject></svg>',
    ['Total'],
  ],
  [
    'details with their summary',
    '<details><summary>Why?</summary>Because.</details><p>End</p>',
    ['####### Why?', 'Because.', '#######', 'End'],
  ],
  [
    'text around a table in a table',
    '<table><tr><td>Closed.<tr><td><table><tr><td>Plan<td>Price<tr><td>A<td>1</table><tr><td>Call us.</table>',
    ['Closed.', 'Plan | Price\nA | 1', 'Call us.'],
  ],
  [
    'text beside a table in a cell',
    '<table><tr><th>A<th>B<tr><td>1<td>before<table><tr><td>in</table>after</table>',
    ['A | B\n1 | before', 'in', 'after'],
  ],
  [
    'lists, empty cells and a caption in a table',
    '<table><caption>Rates</caption><tr><th>A<th>B<th>C<tr><td><ul><li>x<li>y</ul><td><td>z</table>',
    ['Rates', 'A | B | C\nx; y |  | z'],
  ],
  [
    'a list and a quote in a table without loss of its header',
    '<table><tr><th>A<tr><td><blockquote>q</blockquote><tr><td><pre>c</pre></table><p>End',
    ['A\nq\nc', 'End'],
  ],
  [
    'numbers of lists, and lists in lists',
    '<ol start="3"><li>three<ul><li>x</ul><li value="9">nine<li>ten</ol>',
    ['3. three\n  - x\n9. nine\n10. ten'],
  ],
  ['terms', '<dl><dt>T<dd>D<dt>U<dd>E</dl>', ['- T D\n- U E']],
  [
    'dialogs, figures and areas',
    '<dialog>Note</dialog><figure><img src="a" alt="A cat"><figcaption>Cat</figcaption></figure>' +
      '<map><area alt="North"></map>',
    ['Note', 'A cat', 'Cat', 'North'],
  ],
  [
    'texts of custom elements, and of a shadow root',
    '<x-card>One</x-card><x-card>Two<template shadowrootmode="open"><p>Three</p></template></x-card><template>no</template>',
    ['One Two', 'Three'],
  ],
  [
    'embedded documents',
    '<p>a<iframe srcdoc="&lt;title&gt;t&lt;/title&gt;&lt;p&gt;b"></iframe>c',
    ['a', 'b', 'c'],
  ],
  [
    'text for browsers without scripts, but not the notice',
    '<noscript>Please enable JavaScript.</noscript><noscript><p>Address</p></noscript>',
    ['Address'],
  ],
  [
    'words of images and formulas, but not their second versions',
    '<svg><title>icon</title><text>north</text><text>south</text></svg> <span class="katex"><span class="katex-mathml"><math><mi>x</mi></math></span>x</span> <math><mi>E</mi><annotation>\\E</annotation></math>',
    ['north south x E'],
  ],
  [
    'readings behind their characters',
    '<p><ruby>漢<rp>(</rp><rt>かん</rt><rp>)</rp>字<rt>じ</rt></ruby>です',
    ['漢字(かんじ)です'],
  ],
  [
    'lines of code',
    '<pre><button>Copy</button><div>a</div><div> b</div></pre>',
    ['a\n b'],
  ],
  [
    'a heading that does not end',
    '<h2>Head<p>text<p>more</h2>',
    ['## Head', 'text', 'more'],
  ],
  [
    'headings by their role',
    '<div role="heading" aria-level="3">Head</div>x',
    ['### Head', 'x'],
  ],
  ['text in a head without a body', '<head><title>T</title><p>x', ['', 'x']],
  [
    'the menu of a page without other text',
    '<title>T</title><nav><a>Prices</a></nav>',
    ['', 'Prices'],
  ],
  [
    'no menu beside text',
    '<nav>menu</nav><aside>aside</aside><footer>foot</footer>',
    ['aside', 'foot'],
  ],
])('reads %s', (_, html, expected) =>
  expect(shown(htmlBlocks(html)).map((text) => (text === 'T' ? '' : text))).toEqual(
    expected,
  ),
)
