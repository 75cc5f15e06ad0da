-- serves: 55
-- The figures of benchmarks that a SKU shows, each as its name, a blank and its unit.
alter table skus add column benchmark_figures text[] collate "C" not null default '{}';
