// Approve acts only for somebody who can have read what it sends: the page has had the focus for a second, all of it has been
// in view, and the press began on the button. The script stands in the head without `defer`, so that no button is there before
// it. Where it does not run the buttons work as they are: the server decides the same way.
{
  const settling = 1_000
  /** So long a piece has to stand in view: what flies past was not seen. */
  const dwelling = 100
  /** In px: less is no line of text. */
  const slack = 2
  /** Since when the page has had the focus. A press that was refused is a break, so that no row of fast clicks gets through. */
  let since = performance.now()
  let timer
  /** The press that is under way. */
  let press
  let refusal
  /** Which calls the page is about, by the hashes of what is approved. */
  let about
  /** What has to be seen, in order, and what has been in view of each: its text then, and spans of it from 0 to 1. */
  let parts = []
  let seen = new WeakMap()
  /** What is in view now, and where it was at the last look. */
  const inView = new Map()
  let looks = 0
  let nextLook

  const approve = () => document.querySelector('form[data-guard] button:is([value="approve"], [value="allow"])')
  const ticks = () => [...document.querySelectorAll('[data-row] [name="call"]')]
  const ticked = () => ticks().filter(({ checked }) => checked).length
  const hasNoTick = () => ticks().length > 0 && ticked() === 0
  const barOf = (button) => button.closest('.decide')
  const foldOf = (part) => part.closest('details:not([open])')
  const isSeen = (part) => seen.get(part)?.whole === true

  /** Of a list only what is ticked has to be seen; nowhere what is not shown at all. */
  const isNeeded = (part) => {
    const row = part.closest('[data-row]')
    if (row && !row.querySelector('[name="call"]:checked')) return false
    return foldOf(part) !== null || part.getClientRects().length > 0
  }
  const firstMissing = () => parts.find((part) => !isSeen(part) && isNeeded(part))
  const hasSettled = () =>
    document.readyState !== 'loading' &&
    document.visibilityState === 'visible' &&
    document.hasFocus() &&
    performance.now() - since >= settling

  // Looking ------------------------------------------------------------------

  /** From where to where the window shows the page: not behind the bar with the buttons. */
  const sight = () => {
    const { offsetTop, height } = visualViewport
    const button = approve()
    const bar = button ? barOf(button).getBoundingClientRect().top : Infinity
    return [offsetTop, Math.min(offsetTop + height, bar)]
  }

  /** How far down, in px, a part has been in view from its beginning. */
  const readTo = (part) => {
    const [[start, end] = [1, 1]] = seen.get(part)?.spans ?? []
    const { height } = part.getBoundingClientRect()
    return start * height <= slack ? end * height : 0
  }

  /** What of a part is in view now, from 0 to 1. */
  const spanOf = (part, [from, to]) => {
    const box = part.getBoundingClientRect()
    for (let list = part.closest('.many'); list; list = list.parentElement.closest('.many')) {
      const around = list.getBoundingClientRect()
      from = Math.max(from, around.top)
      to = Math.min(to, around.bottom)
    }
    return [(Math.max(from, box.top) - box.top) / box.height, (Math.min(to, box.bottom) - box.top) / box.height]
  }

  /** A text may be longer than the window: it is seen piece by piece. */
  const note = (part, from, to) => {
    const { height } = part.getBoundingClientRect()
    const spans = []
    for (const [start, end] of [...(seen.get(part)?.spans ?? []), [from, to]].toSorted(([a], [b]) => a - b)) {
      const last = spans.at(-1)
      if (last && (start - last[1]) * height <= slack) last[1] = Math.max(last[1], end)
      else spans.push([start, end])
    }
    const [[start, end]] = spans
    const whole = start * height <= slack && (1 - end) * height <= slack
    seen.set(part, { text: part.textContent, spans, whole })
  }

  const look = () => {
    nextLook = undefined
    if (document.visibilityState !== 'visible') return
    const window = sight()
    const unseen = [...inView].filter(([part]) => !isSeen(part))
    for (const [part, before] of unseen) {
      const now = spanOf(part, window)
      inView.set(part, now)
      const [from, to] = before ? [Math.max(before[0], now[0]), Math.min(before[1], now[1])] : [1, 0]
      if (from < to) note(part, from, to)
    }
    looks += 1
    if (unseen.length > 0 || looks < 2) lookSoon()
    show()
  }
  const lookSoon = () => (nextLook ??= setTimeout(look, dwelling))
  const watch = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries)
      if (!isIntersecting) inView.delete(target)
      else if (!inView.has(target)) inView.set(target, undefined)
    lookSoon()
  })

  /** The outermost elements with text of their own; what only explains is not sent. */
  const partsOf = (element) => {
    if ('aside' in element.dataset) return []
    const own = Array.prototype.some.call(element.childNodes, (node) => node.nodeType === 3 && node.data.trim() !== '')
    return own ? [element] : [...element.children].flatMap(partsOf)
  }

  /** Another hash or another text has to be seen anew. */
  const collect = () => {
    const fields = document.querySelectorAll('form[data-guard] :is([name="approval_hash"], [name="call"])')
    const now = Array.from(fields, ({ value }) => value).join()
    if (about !== now) seen = new WeakMap()
    let changed = about !== now
    about = now
    const gone = new Set(parts)
    parts = [...document.querySelectorAll('[data-read]')].flatMap(partsOf)
    for (const part of parts) {
      const isNew = !gone.delete(part)
      if (isNew) watch.observe(part)
      if (!isNew && (seen.get(part)?.text ?? part.textContent) === part.textContent) continue
      seen.delete(part)
      changed = true
    }
    for (const part of gone) {
      watch.unobserve(part)
      inView.delete(part)
    }
    if (changed) settle()
    lookSoon()
  }
  const settle = () => {
    since = performance.now()
    clearTimeout(timer)
    timer = setTimeout(show, settling + 10)
    show()
  }

  // Telling ------------------------------------------------------------------

  const whereIs = (part) => {
    const [top, bottom] = sight()
    const list = part.closest('.many')?.getBoundingClientRect()
    if (list && list.top < bottom && list.bottom > top) return 'in the list'
    const begins = (foldOf(part) ?? part).getBoundingClientRect().top + readTo(part)
    return begins < top ? 'above' : 'below'
  }

  const refusals = {
    unread: 'Hold on. ',
    early: 'Hold on: please review first.',
    elsewhere: 'Nothing was decided: the press did not begin on the button. Press again.',
    none: 'Nothing was decided: unfold a call, read it and tick it first.',
  }
  const wordsOf = (where, usual) => {
    if (where) return `${refusal === 'unread' ? refusals.unread : ''}Read all of it first: there is more ${where}.`
    if (refusal) return refusals[refusal]
    return ticks().length === 0 ? usual : `${ticked()} of ${ticks().length} ticked.`
  }
  const show = () => {
    const button = approve()
    if (!button || document.readyState === 'loading') return
    const missing = firstMissing()
    if (!missing && refusal === 'unread') refusal = undefined
    if (refusal === 'none' && !hasNoTick()) refusal = undefined
    const where = missing && looks > 1 ? whereIs(missing) : ''
    const isArmed = !missing && looks > 1 && hasSettled() && !hasNoTick()
    if (isArmed && refusal === 'early') refusal = undefined
    button.setAttribute('aria-disabled', String(!isArmed))
    barOf(button).dataset.more = where
    const hint = barOf(button).querySelector('.hint')
    hint.dataset.usual ??= hint.textContent
    const words = wordsOf(where, hint.dataset.usual)
    if (hint.textContent !== words) hint.textContent = words
  }

  /** Brings what has not been seen into view, for the eyes and for whoever reads by keyboard or by ear. */
  const goTo = (part) => {
    for (let fold = foldOf(part); fold; fold = foldOf(part)) fold.open = true
    part.tabIndex = -1
    part.focus({ preventScroll: true })
    part.scrollIntoView({ block: 'start' })
    const scroller = part.closest('.many') ?? document.scrollingElement
    scroller.scrollTop += readTo(part)
  }

  // Pressing -----------------------------------------------------------------

  const buttonAt = ({ target }) => (target instanceof Element ? target.closest('form[data-guard] button[value]') : null)
  const begin = (event) => {
    const on = buttonAt(event)
    // A press that began to read on approves nothing, though the button got ready before it ended.
    press = { on, early: !hasSettled() || on?.getAttribute('aria-disabled') === 'true', over: false }
  }
  const pressKey = (event) => {
    // The keys that press a button; others are held down while assistive technology does.
    if (event.key !== 'Enter' && event.key !== ' ') return
    if (!event.repeat) begin(event)
    // It was held down before the page was there.
    else press ??= { on: null, early: true, over: false }
  }
  const end = () => {
    if (press) press.over = true
  }

  /** Why a click does not count; undefined: it does. */
  const problemOf = (click, button, began) => {
    // Without a press of its own it is made by assistive technology, which tells nothing else.
    const own = click.detail === 0 && (began === undefined || began.over)
    if (!own && began?.on !== button) return 'elsewhere'
    if (hasNoTick()) return 'none'
    if (button !== approve()) return undefined
    if (looks > 1 && firstMissing()) return 'unread'
    return looks > 1 && hasSettled() && began?.early !== true ? undefined : 'early'
  }

  const judge = (click) => {
    const button = buttonAt(click)
    const began = press
    press = undefined
    if (!button) return
    refusal = problemOf(click, button, began)
    if (!refusal) return
    click.preventDefault()
    settle()
    if (refusal === 'unread') goTo(firstMissing())
  }

  addEventListener('pointerdown', begin, true)
  // Some assistive technology makes only this one.
  addEventListener('mousedown', (event) => press?.on === buttonAt(event) || begin(event), true)
  addEventListener('keydown', pressKey, true)
  for (const type of ['pointerup', 'pointercancel', 'keyup']) addEventListener(type, end, true)
  addEventListener('click', judge, true)

  addEventListener('focus', settle)
  addEventListener('blur', settle)
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) seen = new WeakMap()
    settle()
  })
  document.addEventListener('visibilitychange', () => {
    settle()
    lookSoon()
  })
  document.addEventListener('change', () => show())
  document.addEventListener('DOMContentLoaded', () => {
    collect()
    new MutationObserver(collect).observe(document.body, {
      subtree: true,
      childList: true,
      characterData: true,
      attributeFilter: ['value'],
    })
  })
}
