// Every page of the documentation: search, and a button to copy code.

const results_max = 12
const input = document.querySelector('#search')
const list = document.querySelector('#found')
let index
let chosen = -1

async function loadIndex() {
  const [{ default: MiniSearch }, response] = await Promise.all([
    import('/docs/minisearch.js'),
    fetch('/docs/search.json'),
  ])
  if (!response.ok) throw new Error(`The search index could not be loaded: ${response.status}.`)
  const search = new MiniSearch({
    fields: ['title', 'heading', 'text'],
    storeFields: ['title', 'heading', 'address'],
    searchOptions: {
      boost: { title: 4, heading: 4 },
      prefix: true,
      fuzzy: (term) => (term.length > 4 ? 0.2 : false),
      combineWith: 'AND',
    },
  })
  search.addAll(await response.json())
  return search
}

function openIndex() {
  index ??= loadIndex().catch((error) => {
    index = undefined
    throw error
  })
  return index
}

/** Puts pages and operations first that are called as was asked: "create instance" before "Create an instance template". */
function namedFirst(found, asked) {
  const plain = (text) =>
    text
      .toLowerCase()
      .match(/[\p{L}\p{N}_-]+/gu)
      ?.filter((word) => !/^(an?|the)$/.test(word))
      .join(' ')
  const isNamed = ({ title, heading }) => /^([A-Z]+ \/.*)?$/.test(heading) && plain(title) === plain(asked)
  return [...found.filter(isNamed), ...found.filter((one) => !isNamed(one))]
}

function show(items) {
  chosen = -1
  input.removeAttribute('aria-activedescendant')
  list.replaceChildren(...items)
  list.hidden = items.length === 0
  input.setAttribute('aria-expanded', String(items.length > 0))
}

function itemOf({ title, heading, address }, place) {
  const item = document.createElement('li')
  item.id = `found-${place}`
  item.setAttribute('role', 'option')
  const link = document.createElement('a')
  link.href = address
  link.tabIndex = -1
  const first = document.createElement('strong')
  first.textContent = title
  const second = document.createElement('span')
  second.textContent = heading
  link.append(first, second)
  item.append(link)
  return item
}

function messageOf(text) {
  const item = document.createElement('li')
  item.className = 'message'
  item.textContent = text
  return item
}

async function search() {
  const asked = input.value.trim()
  if (asked === '') return show([])
  try {
    const found = namedFirst((await openIndex()).search(asked), asked).slice(0, results_max)
    // A slower answer to an earlier text is not shown.
    if (input.value.trim() !== asked) return
    show(found.length === 0 ? [messageOf('Nothing found.')] : found.map(itemOf))
  } catch {
    show([messageOf('The search could not be loaded. Try again.')])
  }
}

function choose(step) {
  const options = [...list.querySelectorAll('[role=option]')]
  if (options.length === 0) return
  options[chosen]?.removeAttribute('aria-selected')
  chosen = (chosen + step + options.length) % options.length
  options[chosen].setAttribute('aria-selected', 'true')
  options[chosen].scrollIntoView({ block: 'nearest' })
  input.setAttribute('aria-activedescendant', options[chosen].id)
}

function close() {
  show([])
}

input.addEventListener('focus', () => void openIndex().catch(() => {}), { once: true })
input.addEventListener('input', search)
// What was typed before this script was loaded.
if (input.value !== '') void search()
input.addEventListener('keydown', (event) => {
  if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
    event.preventDefault()
    choose(event.key === 'ArrowDown' ? 1 : chosen === -1 ? 0 : -1)
  } else if (event.key === 'Enter') {
    list.querySelectorAll('[role=option] a')[Math.max(chosen, 0)]?.click()
  } else if (event.key === 'Escape') {
    input.value = ''
    close()
  }
})
list.addEventListener('click', () => {
  input.value = ''
  close()
})
document.addEventListener('click', ({ target }) => {
  if (!target.closest?.('.search')) close()
})
document.addEventListener('keydown', (event) => {
  const { key, target } = event
  const types = target.closest?.('input, textarea, select, [contenteditable]')
  if (key !== '/' || types || event.ctrlKey || event.metaKey || event.altKey) return
  event.preventDefault()
  input.focus()
})

for (const block of document.querySelectorAll('main pre')) {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'copy'
  button.textContent = 'Copy'
  button.addEventListener('click', async () => {
    // Only pages of https or of this machine may write to the clipboard.
    const copied = await navigator.clipboard?.writeText(block.querySelector('code').textContent).then(
      () => true,
      () => false,
    )
    button.textContent = copied ? 'Copied' : 'Select the text to copy it'
  })
  block.append(button)
}
