import { plainly, quoted } from '../../../connectors/authoring/suggest/literal.ts'
import type { Found, Token } from './look-around.ts'

/**
 * The source of a new connector: detected values, and `undecided` where nothing was found. It
 * compiles as is; `connector add` refuses it until every '' and every `undecided` is filled in.
 */
export function draft(origin: string, found: Found): string {
  const { signIn, elsewhere, token, guarded, missing } = found
  const rules = [
    ...(guarded
      ? [
          `redirectTo(${quoted(withoutSlashes(guarded.leadsTo))}, 'auth_expired'), // ${seen(`/${guarded.path}`)} led there`,
        ]
      : []),
    ...(missing === 404 || missing === 410 ? [`notFoundOn(${missing}),`] : []),
  ]
  const page = signIn
    ? `${quoted(signIn.path)}, // ${signIn.hasPassword ? 'has a field for a password' : 'is called so, and has no field for a password'}`
    : `undecided('where a person signs in, below the address'),`
  const failure =
    rules.length === 0
      ? `undecided('what a page answers once the session is over, and where there is none'), // redirectTo('login', 'auth_expired'), notFoundOn(404)`
      : `firstOf(
    ${guarded ? '' : "// What it answers once the session is over, such as redirectTo('login', 'auth_expired').\n    "}${rules.join('\n    ')}
  ),`
  const body = `  name: '', // as people call it
  description: '', // in a sentence: what it is for
  role: '', // whose account it is, such as: somebody who sells there
  origin: ${quoted(origin)},
  signIn: {
    page: ${page}${
      elsewhere === null
        ? ''
        : `
    hosts: [${quoted(elsewhere)}], // it leads there; callgate.hosts of package.json has to name it, too`
    }
    // Such as:
    // who: {
    //   page: 'account', // says who is signed in
    //   account: (page) => {
    //     const user = select(page).optional('.current-user') // nobody is signed in while it is not there
    //     return user && { id: user.attribute('data-id'), label: user.text() } // the account is told apart by the id ever after
    //   },
    // },
    who: undecided('which page says who is signed in, and where'),
  },
${token === null ? '' : `  ${csrf(token)}\n`}  things: {}, // what the app has, by the names that ids have: suggest writes of them
  failure: ${failure}
  endpoints: [], // callgate connector record and suggest write them; by hand: docs/kit.md
})
`
  const names = ['cookieToken', 'firstOf', 'headerToken', 'notFoundOn', 'redirectTo', 'undecided']
  const code = body.replaceAll(/\/\/.*/g, '')
  const used = ['connector', ...names.filter((name) => code.includes(`${name}(`))].toSorted()
  return `import { ${used.join(', ')} } from '@callgate/kit'\n\nexport default connector({\n${body}`
}

/** A token in the sign-in form hints at other forms' tokens; signed-in users lack that form. */
function csrf({ kind, name, page }: Token): string {
  const at = `page: ${quoted(page)}`
  if (kind === 'field')
    return `// ${seen(page)} has a hidden ${seen(name)}. Name a page that has it once one is signed in: csrf: formToken({ page: '/…', field: '…' }),`
  if (kind === 'meta')
    return `csrf: headerToken({ ${at}, meta: ${quoted(name)}, header: 'X-CSRF-Token' }), // the meta tag is there; the header is the usual one`
  const header = /^xsrf-token$/i.test(name) ? 'X-XSRF-TOKEN' : 'X-CSRFToken'
  return `csrf: cookieToken({ ${at}, cookie: ${quoted(name)}, header: ${quoted(header)} }), // the cookie is set; the header is the usual one`
}

const seen = (text: string): string => plainly(text, 60)

const withoutSlashes = (path: string): string => path.replaceAll(/^\/|\/$/g, '')

/** Lines for the author about what was detected and what was not. */
export function told({ answers, signIn, elsewhere, token, guarded, missing }: Found): readonly string[] {
  if (!answers) return ['✗ nobody answers there: nothing is drafted of how it signs people in']
  const leads = elsewhere === null ? '' : `; it seems to be at ${elsewhere}`
  return [
    signIn ? `✓ people sign in at /${seen(signIn.path)}` : `✗ no page with a field for a password${leads}`,
    token
      ? `✓ ${tokenWords[token.kind]} ${seen(token.name)} on ${seen(token.page)}`
      : '✗ no token that guards its forms',
    guarded
      ? `✓ /${seen(guarded.path)} leads strangers to /${seen(guarded.leadsTo)}`
      : '✗ no page that leads strangers to sign in',
    missing === 404 || missing === 410
      ? `✓ a page that is not there answers ${missing}`
      : `✗ a page that is not there answers ${missing ?? 'with another page'}`,
  ]
}

const tokenWords = { field: 'a hidden field', meta: 'a meta tag', cookie: 'a cookie' }
