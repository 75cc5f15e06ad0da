// What benchmarks run inside a page, as source text: the types of the browser are not those of scripts.

/** Resolves to the time of the largest contentful paint so far, in milliseconds. */
export const largestPaint = `new Promise((resolve) => {
  new PerformanceObserver((list) => resolve(list.getEntries().at(-1).startTime))
    .observe({ type: 'largest-contentful-paint', buffered: true })
})`

/** Resolves to the milliseconds from a click in the navigation to the frame after the heading of the page is there. */
export function clickTo(title: string): string {
  return `new Promise((resolve) => {
    const wanted = ${JSON.stringify(title)}
    const link = [...document.querySelectorAll('nav a')].find((one) => one.textContent === wanted)
    const began = performance.now()
    const look = () => {
      if (document.querySelector('main h1')?.textContent !== wanted) return
      watch.disconnect()
      requestAnimationFrame(() => resolve(performance.now() - began))
    }
    const watch = new MutationObserver(look)
    watch.observe(document.body, { childList: true, subtree: true, characterData: true })
    link.click()
    look()
  })`
}

/** Resolves to the time of the clock, in milliseconds, of the first frame that shows a text in a table. */
export function shownAt(text: string): string {
  return `new Promise((resolve) => {
    const watch = new MutationObserver(() => {
      if (!document.querySelector('tbody')?.textContent.includes(${JSON.stringify(text)})) return
      watch.disconnect()
      requestAnimationFrame(() => resolve(Date.now()))
    })
    watch.observe(document.body, { childList: true, subtree: true, characterData: true })
  })`
}

/** Resolves to the share of frames that are further apart than a limit, while the list of the page is scrolled. */
export function lateFrames({ milliseconds, limit }: { milliseconds: number; limit: number }): string {
  return `new Promise((resolve) => {
    const list = document.querySelector('main table').parentElement
    const gaps = []
    let last = performance.now()
    const end = last + ${milliseconds}
    const step = (now) => {
      gaps.push(now - last)
      last = now
      list.scrollTop += 40
      if (now < end) requestAnimationFrame(step)
      else resolve(gaps.filter((gap) => gap > ${limit}).length / gaps.length)
    }
    requestAnimationFrame(step)
  })`
}

/** Scrolls the list of the page to its end until no rows are left to load, and then to its beginning. */
export const loadAll = `new Promise((resolve) => {
  const table = document.querySelector('main table')
  const list = table.parentElement
  const step = () => {
    list.scrollTop = list.scrollHeight
    if (table.getAttribute('aria-rowcount') === '-1') return setTimeout(step, 50)
    list.scrollTop = 0
    resolve()
  }
  step()
})`
