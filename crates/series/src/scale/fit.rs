//! The Universal Scalability Law, X(N) = λN / (1 + σ(N − 1) + κN(N − 1)), fitted by least squares.
//!
//! N. J. Gunther, Guerrilla Capacity Planning, Springer, 2007, chapters 4 to 6. λ, σ and κ are not below zero. Steps are
//! those of Levenberg and Marquardt: K. Levenberg, Quarterly of Applied Mathematics 2, 1944, pages 164 to 168; D. Marquardt,
//! SIAM Journal on Applied Mathematics 11, 1963, pages 431 to 441.

/// A throughput at a size: connections, workers, processors.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Point {
    pub(crate) n: f64,
    pub(crate) x: f64,
}

/// The three parameters.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Law {
    pub(crate) lambda: f64,
    pub(crate) sigma: f64,
    pub(crate) kappa: f64,
}

/// Which of the two costs are fitted; the others are zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Free {
    pub(crate) sigma: bool,
    pub(crate) kappa: bool,
}

impl Free {
    pub(crate) const BOTH: Self = Self {
        sigma: true,
        kappa: true,
    };
    pub(crate) const SIGMA: Self = Self {
        sigma: true,
        kappa: false,
    };
    pub(crate) const KAPPA: Self = Self {
        sigma: false,
        kappa: true,
    };
    pub(crate) const NEITHER: Self = Self {
        sigma: false,
        kappa: false,
    };
}

impl Law {
    pub(crate) fn at(&self, n: f64) -> f64 {
        self.lambda * n / self.cost(n)
    }

    fn cost(&self, n: f64) -> f64 {
        1.0 + self.sigma * (n - 1.0) + self.kappa * n * (n - 1.0)
    }

    /// The size at which throughput is greatest; `None` when it never falls.
    pub(crate) fn peak(&self) -> Option<f64> {
        (self.kappa > 0.0 && self.sigma < 1.0).then(|| ((1.0 - self.sigma) / self.kappa).sqrt().max(1.0))
    }

    /// The law closest to `points`, with no cost below zero, and the sum of its squared distances from them.
    pub(crate) fn fit(points: &[Point], free: Free) -> (Self, f64) {
        let law = Self::fit_unbounded(points, free);
        let (negative_sigma, negative_kappa) = (law.sigma < 0.0, law.kappa < 0.0);
        if !negative_sigma && !negative_kappa {
            return (law, squares(points, &law));
        }
        // The best law with no negative cost lies where one of them is zero.
        let without_sigma = Free { sigma: false, ..free };
        let without_kappa = Free { kappa: false, ..free };
        let candidates = [(free.sigma, without_sigma), (free.kappa, without_kappa)];
        let fitted = candidates
            .into_iter()
            .filter(|(was_free, _)| *was_free)
            .map(|(_, fewer)| Self::fit(points, fewer));
        fitted
            .min_by(|a, b| a.1.total_cmp(&b.1))
            .unwrap_or((law, f64::INFINITY))
    }

    fn fit_unbounded(points: &[Point], free: Free) -> Self {
        let mut law = Self::start(points);
        let mut best = squares(points, &law);
        let mut damping = 1e-3;
        for _ in 0..STEPS_MAX {
            let Some(step) = law.step(points, free, damping) else {
                break;
            };
            let next = Self {
                lambda: law.lambda + step[0],
                sigma: law.sigma + step[1],
                kappa: law.kappa + step[2],
            };
            let distance = squares(points, &next);
            let sound = points.iter().all(|point| next.cost(point.n) > 0.0);
            if sound && distance < best {
                let gain = (best - distance) / best.max(f64::MIN_POSITIVE);
                (law, best) = (next, distance);
                damping = (damping / 10.0).max(1e-12);
                if gain < 1e-14 {
                    break;
                }
            } else {
                damping *= 10.0;
                if damping > 1e12 {
                    break;
                }
            }
        }
        law
    }

    /// Without any cost, as steep as the steepest point.
    fn start(points: &[Point]) -> Self {
        Self {
            lambda: points.iter().map(|p| p.x / p.n).fold(0.0, f64::max),
            sigma: 0.0,
            kappa: 0.0,
        }
    }

    /// Where the law would go next: the damped normal equations, each parameter on its own scale.
    fn step(&self, points: &[Point], free: Free, damping: f64) -> Option<[f64; 3]> {
        let mut matrix = [[0.0; 3]; 3];
        let mut right = [0.0; 3];
        for point in points {
            let (n, cost) = (point.n, self.cost(point.n));
            let slope = -self.lambda * n / (cost * cost);
            let gradient = [
                n / cost,
                if free.sigma { slope * (n - 1.0) } else { 0.0 },
                if free.kappa { slope * n * (n - 1.0) } else { 0.0 },
            ];
            let residual = point.x - self.at(n);
            for i in 0..3 {
                right[i] += gradient[i] * residual;
                for j in 0..3 {
                    matrix[i][j] += gradient[i] * gradient[j];
                }
            }
        }
        for (i, row) in matrix.iter_mut().enumerate() {
            row[i] *= 1.0 + damping;
            if row[i] == 0.0 {
                row[i] = 1.0;
            }
        }
        solve(matrix, right)
    }
}

const STEPS_MAX: u32 = 500;

pub(crate) fn squares(points: &[Point], law: &Law) -> f64 {
    points.iter().map(|p| (p.x - law.at(p.n)).powi(2)).sum()
}

/// Gauss's elimination with the greatest pivot.
fn solve(mut matrix: [[f64; 3]; 3], mut right: [f64; 3]) -> Option<[f64; 3]> {
    for column in 0..3 {
        let pivot = (column..3).max_by(|&a, &b| matrix[a][column].abs().total_cmp(&matrix[b][column].abs()))?;
        matrix.swap(column, pivot);
        right.swap(column, pivot);
        if matrix[column][column] == 0.0 {
            return None;
        }
        for row in column + 1..3 {
            let factor = matrix[row][column] / matrix[column][column];
            let above = matrix[column];
            for (value, above) in matrix[row].iter_mut().zip(above).skip(column) {
                *value -= factor * above;
            }
            right[row] -= factor * right[column];
        }
    }
    for row in (0..3).rev() {
        let known: f64 = (row + 1..3).map(|k| matrix[row][k] * right[k]).sum();
        right[row] = (right[row] - known) / matrix[row][row];
    }
    Some(right)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(n: &[f64], x: &[f64]) -> Vec<Point> {
        n.iter().zip(x).map(|(&n, &x)| Point { n, x }).collect()
    }

    #[track_caller]
    fn check(points: &[Point], expected: Law) {
        let (found, _) = Law::fit(points, Free::BOTH);
        let close = |found: f64, expected: f64, places: f64| (found - expected).abs() <= places;
        assert!(
            close(found.lambda, expected.lambda, expected.lambda * 1e-6),
            "{found:?}"
        );
        assert!(close(found.sigma, expected.sigma, 5e-7), "{found:?}");
        assert!(close(found.kappa, expected.kappa, 5e-8), "{found:?}");
    }

    /// SPEC SDM91 on a SPARCcenter 2000; Gunther 2007, chapter 5, and the data set `specsdm91` of the R package usl,
    /// whose README prints alpha 0.0277285, beta 0.0001044 and gamma 89.9952330.
    #[test]
    fn the_spec_benchmark_of_gunther() {
        let data = points(
            &[1.0, 18.0, 36.0, 72.0, 108.0, 144.0, 216.0],
            &[64.9, 995.9, 1652.4, 1853.2, 1828.9, 1775.0, 1702.2],
        );
        let published = Law {
            lambda: 89.995_233,
            sigma: 0.027_728_5,
            kappa: 0.000_104_4,
        };
        check(&data, published);
        let (law, _) = Law::fit(&data, Free::BOTH);
        assert!((law.peak().expect("it falls") - 96.5).abs() < 0.1);
    }

    /// The ray tracer of Gunther 2007, chapter 5, data set `raytracer` of the R package usl. Fitted without negative
    /// costs it has no coherency: gamma 21.848843, alpha 0.057771, beta 0.
    #[test]
    fn the_ray_tracer_of_gunther() {
        let data = points(
            &[1.0, 4.0, 8.0, 12.0, 16.0, 20.0, 24.0, 28.0, 32.0, 48.0, 64.0],
            &[
                20.0, 78.0, 130.0, 170.0, 190.0, 200.0, 210.0, 230.0, 260.0, 280.0, 310.0,
            ],
        );
        let published = Law {
            lambda: 21.848_843,
            sigma: 0.057_770_8,
            kappa: 0.0,
        };
        check(&data, published);
        assert_eq!(Law::fit(&data, Free::BOTH).0.peak(), None);
    }

    /// A benchmark of MySQL on a Cisco UCS server. B. Schwartz, Practical Scalability Analysis with the Universal
    /// Scalability Law, VividCortex, 2015: lambda 995.6486, sigma 0.02671591, kappa 0.0007690945.
    #[test]
    fn the_cisco_server_of_schwartz() {
        let x = [
            955.16, 1878.91, 2688.01, 3548.68, 4315.54, 5130.43, 5931.37, 6531.08, 7219.80, 7867.61, 8278.71, 8646.70,
            9047.84, 9426.55, 9645.37, 9897.24, 10097.60, 10240.50, 10532.39, 10798.52, 11151.43, 11518.63, 11806.00,
            12089.37, 12075.41, 12177.29, 12211.41, 12158.93, 12155.27, 12118.04, 12140.40, 12074.39,
        ];
        let n: Vec<f64> = (1..=32).map(f64::from).collect();
        let published = Law {
            lambda: 995.648_6,
            sigma: 0.026_715_91,
            kappa: 0.000_769_094_5,
        };
        check(&points(&n, &x), published);
    }

    #[test]
    fn exact_laws_are_found_again() {
        for (lambda, sigma, kappa) in [
            (100.0, 0.0, 0.0),
            (5000.0, 0.3, 0.0),
            (12.0, 0.0, 0.01),
            (900.0, 0.05, 0.002),
            (250.0, 0.9, 0.0001),
        ] {
            let law = Law { lambda, sigma, kappa };
            let sizes = [1.0, 2.0, 4.0, 8.0, 16.0, 32.0];
            check(&points(&sizes, &sizes.map(|n| law.at(n))), law);
        }
    }
}
